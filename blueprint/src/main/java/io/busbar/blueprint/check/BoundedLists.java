package io.busbar.blueprint.check;

import com.google.common.collect.ImmutableList;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelListsExtensions.Function;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import io.busbar.cel.Dialect;
import java.util.EnumSet;
import java.util.stream.LongStream;

/**
 * CEL's functions for lists, with a limit for {@code lists.range}: no list is as long as an expression likes. What
 * {@code sortBy} gives may be of any type, where CEL for Java takes it for a list of lists.
 *
 * <p>Immutable.
 */
final class BoundedLists implements CelCompilerLibrary, CelRuntimeLibrary {

    private static final long LONGEST_RANGE = 10_000;
    private static final ListType ANYTHING = ListType.create(SimpleType.DYN);
    private static final String RANGE = "bounded_lists_range";

    private final CelListsExtensions all = CelExtensions.lists();
    private final CelListsExtensions others = CelExtensions.lists(EnumSet.complementOf(EnumSet.of(Function.RANGE)));

    static Dialect addTo(Dialect dialect) {
        BoundedLists lists = new BoundedLists();
        return dialect.with(lists, lists, lists.others);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        all.setParserOptions(parser);
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        CelExtensions.lists(EnumSet.complementOf(EnumSet.of(Function.RANGE, Function.SORT_BY)))
                .setCheckerOptions(checker);
        checker.addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                        "lists.range",
                        CelOverloadDecl.newGlobalOverload(RANGE, ListType.create(SimpleType.INT), SimpleType.INT)),
                CelFunctionDecl.newFunctionDeclaration(
                        "lists.@sortByAssociatedKeys",
                        CelOverloadDecl.newGlobalOverload(
                                "list_sortByAssociatedKeys", ANYTHING, ListType.create(ANYTHING))));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(CelFunctionBinding.from(RANGE, Long.class, BoundedLists::range));
    }

    private static ImmutableList<Long> range(Long count) throws CelEvaluationException {
        if (count > LONGEST_RANGE) {
            throw new CelEvaluationException("lists.range: " + count + " is more than " + LONGEST_RANGE);
        }
        return LongStream.range(0, count).boxed().collect(ImmutableList.toImmutableList());
    }
}
