package io.busbar.admission;

/** An object that is not of the type that a rule is for. */
final class UndecodableObjectException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient AdmissionDecision.Denied denial;

    UndecodableObjectException(AdmissionDecision.Denied denial) {
        super(denial.message(), null, false, false);
        this.denial = denial;
    }

    AdmissionDecision.Denied denial() {
        return denial;
    }
}
