package io.github.leaderelection.autoconfigure.election;

/** The number of characters that have to be inserted, deleted or replaced to turn one text into another (Levenshtein). */
final class EditDistance {

    private EditDistance() {}

    static int between(String one, String other) {
        int[] previous = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] current = new int[other.length() + 1];
            current[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replacement = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replacement, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
