package io.github.leaderelection.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mockingDetails;

import io.github.leaderelection.LeaderOnly;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

/** Mocks and spies of leader-only beans in tests of an application. */
@SpringBootTest(
        classes = MockedLeaderOnlyTests.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"leader-election.mode=local", "leader-election.elections.orders="})
class MockedLeaderOnlyTests {

    @MockitoBean
    private Mocked mocked;

    @MockitoSpyBean
    private Spied spied;

    @Autowired
    private Guarded guarded;

    @Test
    void mockIsNotGuardedButSpyIs() {
        assertThat(mockingDetails(mocked).isMock()).isTrue();
        assertThat(mocked.job()).isNull();
        assertThat(guarded.job()).isNotNull();
        assertThat(spied.job()).isNotNull();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, LeaderElectionAutoConfiguration.class})
    @Import({Mocked.class, Spied.class, Guarded.class})
    static class Application {}

    static class Mocked {
        @LeaderOnly
        String job() {
            return "done";
        }
    }

    static class Spied {
        @LeaderOnly
        String job() {
            return "done";
        }
    }

    static class Guarded {
        @LeaderOnly
        String job() {
            return "done";
        }
    }
}
