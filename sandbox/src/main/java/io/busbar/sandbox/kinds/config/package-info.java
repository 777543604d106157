/** ConfigMaps and Secrets. */
@NullMarked
package io.busbar.sandbox.kinds.config;

import org.jspecify.annotations.NullMarked;
