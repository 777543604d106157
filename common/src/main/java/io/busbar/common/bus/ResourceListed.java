package io.busbar.common.bus;

import io.busbar.common.ResourceType;

/**
 * Says that the store of a watch was compared with a new list, as changes may have been missed. What has come and gone
 * in the meantime, nobody was told of.
 *
 * <p>Immutable. Published after the {@link ResourceChanged} of all that the list shows to have changed; not for the
 * first list.
 *
 * @param watch as in {@link ResourceChanged}
 * @param namespace whose objects were listed; empty for all
 */
public record ResourceListed(ResourceType type, String watch, String namespace) {}
