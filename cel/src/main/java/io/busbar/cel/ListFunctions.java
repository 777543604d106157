package io.busbar.cel;

import dev.cel.runtime.CelEvaluationException;
import java.time.Duration;
import java.util.List;

/**
 * {@code isSorted}, {@code sum}, {@code min}, {@code max}, {@code indexOf} and {@code lastIndexOf} of lists. Any
 * thread.
 */
final class ListFunctions {

    private ListFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.member("bool isSorted(list(T))", ListFunctions::isSorted);
        overloads.member("T sum(list(T))", ListFunctions::sum);
        overloads.member("T min(list(T))", (List<?> list) -> extreme("min", list, -1));
        overloads.member("T max(list(T))", (List<?> list) -> extreme("max", list, 1));
        overloads.member("int indexOf(list(T), T)", (List<?> list, Object item) -> (long) list.indexOf(item));
        overloads.member("int lastIndexOf(list(T), T)", (List<?> list, Object item) -> (long) list.lastIndexOf(item));
    }

    private static boolean isSorted(List<?> list) throws CelEvaluationException {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object extreme(String function, List<?> list, int sign) throws CelEvaluationException {
        if (list.isEmpty()) {
            throw new CelEvaluationException(function + " called on empty list");
        }
        Object found = list.get(0);
        for (Object candidate : list) {
            found = compare(candidate, found) * sign > 0 ? candidate : found;
        }
        return found;
    }

    private static Object sum(List<?> list) throws CelEvaluationException {
        Object total = 0L;
        boolean first = true;
        for (Object item : list) {
            total = first ? item : add(total, item);
            first = false;
        }
        return total;
    }

    private static Object add(Object a, Object b) throws CelEvaluationException {
        if (a instanceof Long x && b instanceof Long y) {
            try {
                return Math.addExact(x, y);
            } catch (ArithmeticException e) {
                throw new CelEvaluationException("integer overflow", e);
            }
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x + y;
        }
        if (a instanceof Duration x && b instanceof Duration y) {
            return x.plus(y);
        }
        throw new CelEvaluationException("no such overload");
    }

    @SuppressWarnings("unchecked") // Both are of one class, which is comparable with itself.
    private static int compare(Object a, Object b) throws CelEvaluationException {
        if (a instanceof Comparable<?> comparable && a.getClass() == b.getClass()) {
            return Integer.signum(((Comparable<Object>) comparable).compareTo(b));
        }
        throw new CelEvaluationException("no such overload");
    }
}
