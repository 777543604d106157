package com.example.webpage.webpage.v1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A WebPage, as it is in version v1. */
@Group("web.example.com")
@Version("v1")
@AdditionalPrinterColumn(
        name = "Available",
        jsonPath = ".status.conditions[?(@.type==\"Available\")].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class WebPage extends RecordResource<WebPage, WebPageSpec, WebPageStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;
}
