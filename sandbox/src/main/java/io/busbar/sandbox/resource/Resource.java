package io.busbar.sandbox.resource;

import io.busbar.common.ResourceType;
import io.busbar.sandbox.storage.GroupResource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kind in one version, as served under one URL.
 *
 * <p>Immutable.
 *
 * @param storage where its objects are kept; the same for all versions
 * @param singular empty where the real server tells none
 * @param subresources such as {@code status}
 * @param verbs in the order of discovery
 * @param custom null for a built-in kind
 */
public record Resource(
        ResourceType type,
        GroupResource storage,
        String singular,
        String listKind,
        List<String> shortNames,
        List<String> categories,
        Set<String> subresources,
        List<String> verbs,
        Conversion conversion,
        KindRules rules,
        @Nullable CustomVersion custom) {

    /** Name and group as in this version's URLs and messages. */
    public GroupResource named() {
        return new GroupResource(type.group(), type.plural());
    }

    /** Whether objects are kept, other than those that only ask a question. */
    public boolean stored() {
        return verbs.contains("list");
    }
}
