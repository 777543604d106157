package com.example.webpage;

import io.busbar.runtime.BusbarOperator;

/** The program: {@code run}, {@code dev}, {@code manifests} and more, told by {@code --help}. */
public final class WebpageOperator {

    private WebpageOperator() {}

    public static void main(String[] args) {
        BusbarOperator.run(args, new WebpageBundle());
    }
}
