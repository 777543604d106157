package io.busbar.operator.sidecarset.pod;

/** Says that a Pod brings an annotation that cannot be worked with: its author must mend it. */
public final class UnreadableAnnotationException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String annotation;
    private final String value;

    /**
     * @param detail what is wrong with the value, for people
     */
    public UnreadableAnnotationException(String annotation, String value, String detail, Throwable cause) {
        super(detail, cause);
        this.annotation = annotation;
        this.value = value;
    }

    /** The same, and which set came upon it. */
    public UnreadableAnnotationException neededBy(String set) {
        return new UnreadableAnnotationException(
                annotation, value, getMessage() + ", and SidecarSet " + set + " needs it", this);
    }

    /** Its name. */
    public String annotation() {
        return annotation;
    }

    public String value() {
        return value;
    }
}
