package io.busbar.sandbox.patch;

/** A patch that the API server refuses: the HTTP code and the message that it answers with. */
public final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int code;

    public PatchException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** The patch is no patch. */
    static PatchException malformed(String message) {
        return new PatchException(400, message);
    }

    /** The patch does not fit the object; the API server does not tell why. */
    static PatchException unfit() {
        return new PatchException(422, "the server rejected our request due to an error in our request");
    }

    /** 400, 413, 422 or 500; the Status reason follows from it: BadRequest, RequestEntityTooLarge, Invalid, none. */
    public int code() {
        return code;
    }
}
