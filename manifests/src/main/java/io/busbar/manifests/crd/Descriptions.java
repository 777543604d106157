package io.busbar.manifests.crd;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.github.therapi.runtimejavadoc.ClassJavadoc;
import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.CommentElement;
import com.github.therapi.runtimejavadoc.CommentText;
import com.github.therapi.runtimejavadoc.InlineLink;
import com.github.therapi.runtimejavadoc.InlineTag;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What the Javadoc of custom resources says of their fields, as plain text.
 *
 * <p>Only of classes that were compiled with therapi's annotation processor; of others nothing is known.
 *
 * <p>Any thread.
 */
final class Descriptions {

    private final Map<Class<?>, ClassJavadoc> known = new ConcurrentHashMap<>();

    /** The first sentence on a class. */
    Optional<String> of(Class<?> type) {
        return text(javadoc(type).getComment()).map(text -> text.replaceFirst("(?<=\\.)\\s.*", ""));
    }

    /** What stands for a component of a record or a field of a class; else what its type says of itself. */
    Optional<String> of(BeanPropertyDefinition property) {
        AnnotatedMember member = property.getPrimaryMember();
        ClassJavadoc around = javadoc(member.getDeclaringClass());
        String name = property.getInternalName();
        return Stream.concat(
                        around.getRecordComponents().stream()
                                .filter(component -> component.getName().equals(name))
                                .map(component -> component.getComment()),
                        around.getFields().stream()
                                .filter(field -> field.getName().equals(name))
                                .map(field -> field.getComment()))
                .flatMap(comment -> text(comment).stream())
                .findFirst()
                .or(() -> of(described(property.getPrimaryType()).getRawClass()));
    }

    private static JavaType described(JavaType type) {
        return type.isCollectionLikeType() ? type.getContentType() : type;
    }

    private ClassJavadoc javadoc(Class<?> type) {
        return known.computeIfAbsent(
                type,
                one -> one.isArray() || one.isPrimitive()
                        ? ClassJavadoc.createEmpty(one.getName())
                        : RuntimeJavadoc.getJavadoc(one));
    }

    private static Optional<String> text(Comment comment) {
        StringBuilder text = new StringBuilder();
        for (CommentElement element : comment) {
            text.append(text(element));
        }
        String one = text.toString().strip().replaceAll("\\s+", " ");
        return one.isEmpty() ? Optional.empty() : Optional.of(Character.toUpperCase(one.charAt(0)) + one.substring(1));
    }

    private static String text(CommentElement element) {
        if (element instanceof CommentText plain) {
            return plain.getValue();
        }
        if (element instanceof InlineTag tag) {
            return tag.getValue();
        }
        return element instanceof InlineLink link ? link.getLink().getLabel() : "";
    }
}
