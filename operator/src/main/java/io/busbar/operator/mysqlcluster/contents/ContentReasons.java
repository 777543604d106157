package io.busbar.operator.mysqlcluster.contents;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;

import io.busbar.common.condition.ConditionReason;

/** What the condition of a MySQLDatabase, a MySQLUser or a MySQLGrant may give as its reason. Immutable. */
final class ContentReasons {

    /** The condition's type. */
    static final String READY = "Ready";

    static final ConditionReason APPLIED = ofTrue(READY, "Applied", "the servers have what the spec asks for");

    static final ConditionReason CLUSTER_MISSING = ofFalse(
            READY, "ClusterMissing", "there is no MySQLCluster of that name in the namespace; it is waited for");
    static final ConditionReason NOT_REPLICATED = ofFalse(
            READY, "NotReplicated", "the cluster's spec.mode is Simple: its servers are independent of each other");
    static final ConditionReason CLUSTER_PAUSED =
            ofFalse(READY, "ClusterPaused", "the cluster's spec.paused is true: it is left as it is");
    static final ConditionReason FOLLOWS_EXTERNAL_PRIMARY = ofFalse(
            READY,
            "FollowsExternalPrimary",
            "the cluster follows a server outside, and takes no writes until it has taken over; that is waited for");
    static final ConditionReason NO_PRIMARY =
            ofFalse(READY, "NoPrimary", "the cluster has no primary that takes writes; one is waited for");
    static final ConditionReason UNREACHABLE = ofFalse(
            READY, "Unreachable", "the primary did not answer, or did not let the operator in; it is tried again");
    static final ConditionReason REFUSED = ofFalse(
            READY, "Refused", "the server has refused it; the message has its words: mend the spec, or the server");
    static final ConditionReason TAKEN =
            ofFalse(READY, "Taken", "another object, or the cluster itself, stands for the same database or account");
    static final ConditionReason PASSWORD_MISSING = ofFalse(
            READY, "PasswordMissing", "the Secret of spec.passwordSecretKeyRef or its key is not there, or empty");
    static final ConditionReason USER_MISSING =
            ofFalse(READY, "UserMissing", "the servers have no such account; it is waited for");
    static final ConditionReason DATABASE_MISSING =
            ofFalse(READY, "DatabaseMissing", "the servers have no such database; it is waited for");
    static final ConditionReason TABLE_MISSING =
            ofFalse(READY, "TableMissing", "the database has no such table; it is waited for");

    private ContentReasons() {}
}
