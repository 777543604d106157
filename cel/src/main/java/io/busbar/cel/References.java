package io.busbar.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an expression reads that it has not declared itself: variables with the fields that are selected of them, such
 * as {@code schema.spec.replicas}. The first word of a function in a namespace is among them, as {@code lists} of
 * {@code lists.range(3)}: only a checker can tell it from a variable.
 *
 * <p>One thread, for one expression.
 */
final class References {

    private final Set<String> paths = new LinkedHashSet<>();
    private final Deque<String> declared = new ArrayDeque<>();

    private References() {}

    /** The longest paths, in the order in which they are written. */
    static Set<String> paths(CelExpr expression) {
        References references = new References();
        references.visit(expression);
        return references.paths;
    }

    /** The variables alone. */
    static Set<String> names(CelExpr expression) {
        return paths(expression).stream()
                .map(path -> path.split("\\.", -1)[0])
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void visit(CelExpr part) {
        switch (part.getKind()) {
            case IDENT, SELECT -> path(part);
            case CALL -> {
                part.call().target().ifPresent(this::visit);
                part.call().args().forEach(this::visit);
            }
            case LIST -> part.list().elements().forEach(this::visit);
            case MAP ->
                part.map().entries().forEach(entry -> {
                    visit(entry.key());
                    visit(entry.value());
                });
            case STRUCT -> part.struct().entries().forEach(entry -> visit(entry.value()));
            case COMPREHENSION -> loop(part.comprehension());
            default -> {
                // A constant reads nothing.
            }
        }
    }

    private void path(CelExpr part) {
        StringBuilder fields = new StringBuilder();
        CelExpr root = part;
        while (root.getKind() == CelExpr.ExprKind.Kind.SELECT) {
            fields.insert(0, "." + root.select().field());
            root = root.select().operand();
        }
        if (root.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            visit(root);
        } else if (!declared.contains(root.ident().name())) {
            paths.add(root.ident().name() + fields);
        }
    }

    private void loop(CelComprehension loop) {
        visit(loop.iterRange());
        visit(loop.accuInit());
        declared.push(loop.accuVar());
        visit(loop.result());
        declared.push(loop.iterVar());
        declared.push(loop.iterVar2());
        visit(loop.loopCondition());
        visit(loop.loopStep());
        declared.pop();
        declared.pop();
        declared.pop();
    }
}
