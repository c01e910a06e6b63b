package io.github.leaderelection.zookeeper.znode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.zookeeper.fixture.HostileText;
import io.github.leaderelection.zookeeper.znode.HandOverRequest.Answer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandOverRequestTests {

    private static final String TO = "c-1-0000000008";
    private static final String HOLDER = "c-0-0000000007";

    @RegisterExtension
    final HostileText hostile = new HostileText();

    @Test
    void theJsonIsPartOfTheContract() {
        var request = new HandOverRequest(TO, HOLDER);

        assertThat(new String(request.toJson(), UTF_8))
                .isEqualTo("{\"to\":\"" + TO + "\",\"holder\":\"" + HOLDER + "\"}");
        assertThat(new String(request.answer(Answer.ACCEPTED).toJson(), UTF_8))
                .isEqualTo("{\"to\":\"" + TO + "\",\"holder\":\"" + HOLDER + "\",\"answer\":\"ACCEPTED\"}");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenCanBeRead(Answer answer) {
        var request = new HandOverRequest(TO, HOLDER).answer(answer);

        assertThat(HandOverRequest.parse(request.toJson())).contains(request);
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(parse("{\"why\":[{\"to\":\"x\"}],\"to\":\"" + TO + "\",\"holder\":\"" + HOLDER + "\"}"))
                .contains(new HandOverRequest(TO, HOLDER));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "{\"to\":\"../leader\",\"holder\":\"c-0-0000000007\"}",
                "{\"to\":7,\"holder\":\"c-0-0000000007\"}",
                "{\"to\":\"c-1-0000000008\",\"answer\":\"MAYBE\"}",
                "{\"to\":\"c-1-0000000008\",\"holder\":\"c-0-0000000007\""
            })
    void aRequestThatCannotBeReadIsNone(String json) {
        assertThat(parse(json)).isEmpty();
    }

    @Test
    void onlyARequestForACandidateCanBeRead() {
        byte[] valid = new HandOverRequest(TO, HOLDER, Answer.ACCEPTED).toJson();
        hostile.documents(valid, "to", "holder", "answer")
                .forEach(data -> HandOverRequest.parse(data)
                        .ifPresent(request ->
                                assertThat(NodeName.parse(request.to())).isPresent()));
    }

    private static Optional<HandOverRequest> parse(String json) {
        return HandOverRequest.parse(json.getBytes(UTF_8));
    }
}
