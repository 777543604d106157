package io.busbar.charts.render;

/** A chart does not render with the values that there are; the message is Helm's. */
public final class RenderFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    public RenderFailedException(String message) {
        super(message);
    }
}
