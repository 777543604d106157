package io.busbar.sandbox.journal;

import java.io.IOException;
import java.nio.file.Path;

/** A file that was altered, and by more than the death of the process that wrote it. Immutable. */
public final class DamagedException extends IOException {

    DamagedException(Path file, long offset, String what) {
        super(file + " " + what + ", at byte " + offset + "; nothing was changed");
    }
}
