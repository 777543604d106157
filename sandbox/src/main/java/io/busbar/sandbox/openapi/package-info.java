/**
 * As much of OpenAPI as clients ask for before they write: which kinds there are, and that dry run and field validation are
 * understood. Schemas of built-in kinds are not told.
 */
@NullMarked
package io.busbar.sandbox.openapi;

import org.jspecify.annotations.NullMarked;
