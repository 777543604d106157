package io.busbar.operator.reference;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Stream;

/** The constants of a type in all classes that are shipped. */
final class DeclaredFields {

    /** All modules on the class path, but for their tests. */
    static final JavaClasses SHIPPED = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.busbar");

    private DeclaredFields() {}

    /** Each with the class that declares it. */
    record Declared<T>(JavaField field, T value) {

        JavaClass in() {
            return field.getOwner();
        }

        /** Whether the code uses it, besides declaring it. */
        boolean isUsed() {
            return field.getAccessesToSelf().stream()
                    .anyMatch(access -> !access.getOrigin().getName().equals("<clinit>"));
        }
    }

    static <T> List<Declared<T>> of(Class<T> type) {
        return SHIPPED.stream()
                .flatMap(found -> found.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC)
                        && field.getRawType().isEquivalentTo(type))
                .flatMap(field -> Stream.of(new Declared<>(field, value(field, type))))
                .toList();
    }

    private static <T> T value(JavaField declared, Class<T> type) {
        try {
            Field field = declared.reflect();
            field.setAccessible(true);
            return type.cast(field.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(declared.getFullName(), e);
        }
    }
}
