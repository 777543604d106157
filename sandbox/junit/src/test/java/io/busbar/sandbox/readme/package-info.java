/** The example of this module's README, and what keeps it true. */
package io.busbar.sandbox.readme;
