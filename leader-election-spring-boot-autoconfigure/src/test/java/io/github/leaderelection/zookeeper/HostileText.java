package io.github.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts and bytes that nobody should write, and somebody will: by nothing but a seed, so that a failure comes again. */
final class HostileText {

    private static final List<String> NASTY = List.of(
            "",
            " ",
            "\n",
            "a\r\n2026-11-16 00:00:00 ERROR [main] all is lost",
            "\u001b[2J\u001b[31mred",
            "\u0007\b\u007f\u0085\u009b",
            "\u2028next\u2029paragraph",
            "\u202egnp.exe",
            "\ufeff\u0000",
            "${jndi:ldap://127.0.0.1/a}",
            "{}",
            "%s%n%d{}{}",
            "\"},\"beat\":\"/\",\"x\":{\"",
            "\\u0022\\",
            "../../leader",
            "'; DROP TABLE accepted; --",
            "\ud83d\ude00",
            "\ud800",
            "\udc00\ud800",
            "名前",
            "x".repeat(5_000));

    private final Random random;

    HostileText(long seed) {
        this.random = new Random(seed);
    }

    static List<String> nasty() {
        return NASTY;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            if (random.nextBoolean()) {
                text.append(NASTY.get(random.nextInt(NASTY.size())));
            } else {
                random.ints(random.nextInt(12), 0, 0x10000).forEach(unit -> text.append((char) unit));
            }
        }
        return text.toString();
    }

    byte[] noise() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A valid document with some bytes changed, lost or doubled. */
    byte[] damaged(byte[] document) {
        List<Byte> bytes = new ArrayList<>();
        for (byte one : document) {
            bytes.add(one);
        }
        for (int i = 1 + random.nextInt(5); i > 0 && !bytes.isEmpty(); i--) {
            int at = random.nextInt(bytes.size());
            switch (random.nextInt(4)) {
                case 0 -> bytes.remove(at);
                case 1 -> bytes.add(at, (byte) "{}[]\",:\\x0e-9".charAt(random.nextInt(13)));
                case 2 -> bytes.set(at, (byte) random.nextInt(256));
                default -> bytes.subList(at, bytes.size()).clear();
            }
        }
        byte[] result = new byte[bytes.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = bytes.get(i);
        }
        return result;
    }

    /** A document of some other version or tool: the right names, and whatever values. */
    String foreignDocument(String... names) {
        StringBuilder json = new StringBuilder("{");
        for (int i = random.nextInt(6); i >= 0; i--) {
            json.append('"')
                    .append(names[random.nextInt(names.length)])
                    .append("\":")
                    .append(value(3));
            json.append(i == 0 ? "}" : ",");
        }
        return json.toString();
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> "null";
            case 1 -> "true";
            case 2 -> String.valueOf(random.nextLong());
            case 3 -> "1e" + random.nextInt(100_000);
            case 4 -> "\"" + Integer.toHexString(random.nextInt()) + "\"";
            case 5 -> "9".repeat(1 + random.nextInt(300));
            case 6 -> "[" + value(depth - 1) + "," + value(depth - 1) + "]";
            case 7 -> "{\"a\":" + value(depth - 1) + ",\"a\":" + value(depth - 1) + "}";
            default -> "[[" + value(depth - 1) + "]]";
        };
    }
}
