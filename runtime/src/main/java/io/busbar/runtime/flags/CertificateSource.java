package io.busbar.runtime.flags;

/** Where the webhooks' certificate comes from. */
enum CertificateSource {
    /** Files that somebody else keeps fresh. */
    MOUNTED,
    /** The operator's own CA. */
    SELF_SIGNED,
    /** Nowhere: webhooks are not served. */
    NONE
}
