/** Tables, as kubectl prints them: columns of the kinds that people look at, and those that a CRD asks for. */
@NullMarked
package io.busbar.sandbox.table;

import org.jspecify.annotations.NullMarked;
