package io.github.leaderelection.autoconfigure.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.leaderelection.autoconfigure.LeaderElectionProperties;
import io.github.leaderelection.autoconfigure.ZooKeeperConnectionDetails;
import io.github.leaderelection.support.MisconfigurationException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ConnectStringValidatorTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "zk1:2181",
                "zk-1.example_net:2181, zk-2.example_net:2181",
                "127.0.0.1:2181,",
                "[::1]:2181",
                "fe80::1%eth0:2181",
                "zk1:2181,zk2:2181/apps/shop",
                "zk1:2181/a,b"
            })
    void acceptsValidConnectStrings(String connectString) {
        assertThatNoException().isThrownBy(() -> ConnectStringValidator.validate(fromProperty(connectString)));
    }

    private static ZooKeeperConnectionDetails fromProperty(String connectString) {
        LeaderElectionProperties properties = new Binder(new MapConfigurationPropertySource(
                        Map.of("leader-election.zookeeper.connect-string", connectString)))
                .bind("leader-election", LeaderElectionProperties.class)
                .get();
        return new PropertiesZooKeeperConnectionDetails(properties.zookeeper(), null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ",                     | There is no server",
                ":2181                 | There is no host before port 2181",
                "2181                  | There is no host before port 2181",
                "zk1:2181,2182         | There is no host before port 2182",
                "::1                   | ':' is not a host",
                "zk1:2181:2182         | 'zk1:2181' is not a host",
                "zk1:2181;zk2:2181     | 'zk1:2181;zk2' is not a host",
                "zk1:2181 zk2:2181     | 'zk1:2181 zk2' is not a host",
                "${ZK_HOST}:2181       | '${ZK_HOST}' is not a host",
                "zk1:0                 | port 0",
                "zk1:port              | port",
                "zk1:65536             | 65536",
                "http://zk1:2181       | //zk1:2181",
                "zk1:2181/no/slash/    | must not end with /",
                "zk1:2181/a,zk2:2181/a | after the last server"
            })
    void rejectsInvalidConnectStrings(String connectString, String why) {
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> ConnectStringValidator.validate(fromProperty(connectString)))
                .satisfies(invalid -> {
                    assertThat(invalid.getName()).isEqualTo("leader-election.zookeeper.connect-string");
                    assertThat(invalid.getValue()).isEqualTo(connectString);
                    assertThat(invalid.getReason()).contains(why, "zk1:2181,zk2:2181");
                });
    }

    @Test
    void doesNotMentionPropertyIfConnectStringIsThatOfBean() {
        ZooKeeperConnectionDetails bean = () -> "zk1;zk2";
        assertThatExceptionOfType(MisconfigurationException.class)
                .isThrownBy(() -> ConnectStringValidator.validate(bean))
                .withMessageContainingAll("'zk1;zk2'", bean.getClass().getName(), "is not a host", "zk1:2181,zk2:2181")
                .withMessageNotContaining("leader-election.zookeeper");
    }
}
