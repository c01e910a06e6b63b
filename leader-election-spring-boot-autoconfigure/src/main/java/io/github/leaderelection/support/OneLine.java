package io.github.leaderelection.support;

/** Escapes characters that would break, hide or reverse a line of the log. */
public final class OneLine {

    private OneLine() {}

    public static String of(String text) {
        if (isReadable(text)) {
            return text;
        }
        var line = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(codePoint -> {
            if (isReadable(codePoint)) {
                line.appendCodePoint(codePoint);
            } else {
                line.append("\\u%04x".formatted(codePoint));
            }
        });
        return line.toString();
    }

    public static boolean isReadable(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (!isReadable(text.codePointAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReadable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
