package io.busbar.sandbox.patch;

/** A patch that the API server refuses: the HTTP code and the message that it answers with. */
public final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int code;
    private final String why;

    public PatchException(int code, String message) {
        this(code, message, message);
    }

    PatchException(int code, String message, String why) {
        super(message);
        this.code = code;
        this.why = why;
    }

    /** What is wrong with the patch, which clients are not told, but those whose webhook or policy made it. */
    public String why() {
        return why;
    }

    /** The patch is no patch. */
    static PatchException malformed(String message) {
        return new PatchException(400, message);
    }

    /** The patch does not fit the object. */
    static PatchException unfit() {
        return new PatchException(422, "the server rejected our request due to an error in our request");
    }

    /** 400, 413, 422 or 500; the Status reason follows from it: BadRequest, RequestEntityTooLarge, Invalid, none. */
    public int code() {
        return code;
    }
}
