package io.github.leaderelection.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.tools.Server;

/** A database in the process of the test, with the newest token and all accepted writes. */
final class SqlFence implements AutoCloseable {

    private static final String DATABASE = "mem:soak";

    private final Server server;
    private final Connection connection;

    SqlFence() throws SQLException {
        // By default H2 listens on all interfaces.
        System.setProperty("h2.bindAddress", "127.0.0.1");
        connection = DriverManager.getConnection("jdbc:h2:" + DATABASE);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE fence(resource VARCHAR PRIMARY KEY, token BIGINT)");
            statement.execute("INSERT INTO fence VALUES('orders', 0)");
            statement.execute("CREATE TABLE accepted(position IDENTITY PRIMARY KEY, token BIGINT, candidate VARCHAR)");
        }
        server = Server.createTcpServer("-tcpPort", "0").start();
    }

    String url() {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + DATABASE;
    }

    /** Used by a candidate. The first statement locks the row, so that writes come one after the other. */
    static FencedWriter.Fence of(String url, String candidate) {
        return term -> {
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.setAutoCommit(false);
                try (PreparedStatement fence = connection.prepareStatement(
                                "UPDATE fence SET token = ? WHERE resource = 'orders' AND token <= ?");
                        PreparedStatement write =
                                connection.prepareStatement("INSERT INTO accepted(token, candidate) VALUES(?, ?)")) {
                    fence.setLong(1, term.token());
                    fence.setLong(2, term.token());
                    if (fence.executeUpdate() == 0) {
                        return WriteOutcome.REFUSED;
                    }
                    write.setLong(1, term.token());
                    write.setString(2, candidate);
                    write.executeUpdate();
                    connection.commit();
                    return WriteOutcome.ACCEPTED;
                }
            } catch (SQLException failure) {
                return WriteOutcome.UNKNOWN;
            }
        };
    }

    /** Tokens of all writes that were accepted, in their order. */
    List<Long> accepted() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT token FROM accepted ORDER BY position")) {
            List<Long> tokens = new ArrayList<>();
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
            return tokens;
        }
    }

    @Override
    public void close() throws SQLException {
        server.stop();
        connection.close();
    }
}
