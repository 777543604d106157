package io.busbar.operator.sidecarset.validation;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds containers of one name. The schema calls that a duplicate of the whole item, and speaks before
 * {@link SidecarSetValidator} does. Any thread.
 */
public final class ListKeys {

    private ListKeys() {}

    public static List<FieldProblem> problems(SidecarSet set) {
        Field root = Field.root();
        if (set.getSpec() != null) {
            Field spec = root.child("spec");
            distinct(spec, "containers", set.getSpec().containers());
            distinct(spec, "initContainers", set.getSpec().initContainers());
        }
        return root.problems();
    }

    private static void distinct(Field spec, String list, List<SidecarContainer> containers) {
        Set<String> names = new HashSet<>();
        spec.<SidecarContainer>each(list, containers, (at, container) -> {
            if (container.getName() != null && !names.add(container.getName())) {
                at.child("name").duplicate(container.getName());
            }
        });
    }
}
