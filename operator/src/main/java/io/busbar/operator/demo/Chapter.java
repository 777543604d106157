package io.busbar.operator.demo;

/** The part of the story that shows one kind. For one thread, which it blocks. */
interface Chapter {

    /** What it is about, such as {@code SidecarSet}. */
    String title();

    /**
     * Tells it to its end; what it has made stays.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the cluster does not answer, or not as it
     *     should
     */
    void tell(Stage stage) throws InterruptedException;
}
