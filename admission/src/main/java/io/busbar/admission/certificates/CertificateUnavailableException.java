package io.busbar.admission.certificates;

/** There is no certificate that could be served; the message, one line, names the file or Secret and says why. */
public final class CertificateUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    public CertificateUnavailableException(String where, String why) {
        super(where + ": " + why);
    }

    public CertificateUnavailableException(String where, String why, Throwable cause) {
        super(where + ": " + why, cause);
    }
}
