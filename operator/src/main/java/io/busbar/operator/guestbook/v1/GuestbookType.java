package io.busbar.operator.guestbook.v1;

/** What guests leave. Constants are written as in YAML. Immutable. */
public enum GuestbookType {
    Phone,
    Address,
    Name
}
