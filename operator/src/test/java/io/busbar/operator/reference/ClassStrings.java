package io.busbar.operator.reference;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/** The string constants of a class, as its class file has them: what is put together at compile time in one piece. */
final class ClassStrings {

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int STRING = 8;

    private ClassStrings() {}

    static Set<String> of(JavaClass type) throws IOException {
        try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream();
                DataInputStream in = new DataInputStream(file)) {
            in.skipNBytes(8);
            int count = in.readUnsignedShort();
            String[] texts = new String[count];
            Set<Integer> strings = new HashSet<>();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case STRING -> strings.add(in.readUnsignedShort());
                    case LONG, DOUBLE -> {
                        in.skipNBytes(8);
                        i++; // takes two places
                    }
                    default -> in.skipNBytes(size(tag));
                }
            }
            Set<String> found = new HashSet<>();
            strings.forEach(at -> found.add(texts[at]));
            return found;
        }
    }

    /** Of the constants that are of one size: JVMS 4.4. */
    private static int size(int tag) {
        return switch (tag) {
            case 7, 16, 19, 20 -> 2;
            case 15 -> 3;
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
            default -> throw new IllegalStateException("no constant has the tag " + tag);
        };
    }
}
