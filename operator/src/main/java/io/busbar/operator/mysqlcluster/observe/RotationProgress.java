package io.busbar.operator.mysqlcluster.observe;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a change of passwords has come, as the Secret with them says.
 *
 * <p>Immutable.
 *
 * @param answered what {@code rotate-passwords} was when passwords were last changed, or made up; empty for nothing
 * @param changedAt since when the Secret has the passwords that it has; empty where it does not say
 */
public record RotationProgress(Stage stage, String answered, Optional<Instant> changedAt) {

    /** Where nothing goes on, and nobody has asked for anything. */
    public static final RotationProgress NONE = new RotationProgress(Stage.SETTLED, "", Optional.empty());

    /** What stands in the Secret, and so what servers are to let in with. */
    public enum Stage {
        /** The passwords, and no others. */
        SETTLED("Settled"),
        /** The next ones, too: servers get to know them, and nobody logs in with them yet. */
        ANNOUNCED("Announced"),
        /** The next ones are the passwords now; those before let in all the same. */
        TURNED("Turned"),
        /** Those before are to let nobody in any more. */
        ENDING("Ending");

        private final String word;

        Stage(String word) {
            this.word = word;
        }

        /** As it stands in the Secret. */
        public String word() {
            return word;
        }

        /** What is not known is nothing that goes on. */
        public static Stage of(String word) {
            for (Stage stage : values()) {
                if (stage.word.equals(word)) {
                    return stage;
                }
            }
            return SETTLED;
        }

        /** The one after this. */
        public Stage next() {
            return switch (this) {
                case SETTLED -> ANNOUNCED;
                case ANNOUNCED -> TURNED;
                case TURNED -> ENDING;
                case ENDING -> SETTLED;
            };
        }
    }
}
