package io.github.leaderelection.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryReaderTests {

    @TempDir
    Path directory;

    @Test
    void whatIsWrittenCanBeRead() {
        var writer = new HistoryWriter(directory.resolve("a.1" + HistoryReader.SUFFIX));
        writer.note("started\nin two lines");
        writer.leadsNot(1, 2);
        writer.leads(3, 4, 1, 77);
        writer.granted(1, 77);
        writer.still(10, 11);
        writer.write(FencedResource.SQL, WriteOutcome.ACCEPTED, 77, true);
        writer.leadsNot(12, 13);
        writer.revoked(1, 77, "STEPPED_DOWN", false);
        writer.leadsNot(20, 21);
        writer.leads(22, 23, 2, 78);

        HistoryReader reader = HistoryReader.read(directory);

        assertThat(reader.terms())
                .containsExactly(
                        new ObservedTerm("a.1", 1, 77, 1, 3, 4, 10, 11, 13),
                        new ObservedTerm("a.1", 2, 78, 20, 22, 23, 22, 23, 23));
        assertThat(reader.events()).extracting(ListenerEvent::granted).containsExactly(true, false);
        assertThat(reader.events()).extracting(ListenerEvent::reason).containsExactly("", "STEPPED_DOWN");
        assertThat(reader.attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.outcome()).isEqualTo(WriteOutcome.ACCEPTED);
            assertThat(attempt.token()).isEqualTo(77);
            assertThat(attempt.valid()).isTrue();
        });
    }

    @Test
    void aNewTermNeedsNoNoInBetween() throws Exception {
        Files.writeString(
                directory.resolve("a.1.history"), "leads 3 4 1 77\nstill 8 9\nleads 10 11 2 77\nstill 12 13\n");

        assertThat(HistoryReader.read(directory).terms())
                .containsExactly(
                        new ObservedTerm("a.1", 1, 77, 3, 3, 4, 8, 9, 10),
                        new ObservedTerm("a.1", 2, 77, 9, 10, 11, 12, 13, 13));
    }

    @Test
    void halfALineAtTheEndIsIgnored() throws Exception {
        Files.writeString(directory.resolve("a.1.history"), "leads 3 4 1 77\nstill 8 9\nstill 1");

        assertThat(HistoryReader.read(directory).terms())
                .containsExactly(new ObservedTerm("a.1", 1, 77, 3, 3, 4, 8, 9, 9));
    }
}
