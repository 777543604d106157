/** The kind Blueprint, as the API server stores it: what its fields say is for {@link io.busbar.blueprint.Blueprint}. */
@NullMarked
package io.busbar.blueprint.v1alpha1;

import org.jspecify.annotations.NullMarked;
