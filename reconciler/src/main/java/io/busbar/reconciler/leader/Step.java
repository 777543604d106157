package io.busbar.reconciler.leader;

/** What comes next in an attempt to lead: a request, or how it ended. Immutable. */
sealed interface Step permits LeaseRequest, Standing {}
