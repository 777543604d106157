package io.busbar.sandbox.kubelet;

/**
 * Hands out addresses of 10.128.0.0/9, one after the other.
 *
 * <p>One context.
 */
final class PodAddresses {

    private int last;

    /** Passes over the addresses up to one that is in use. */
    void seen(String address) {
        String[] parts = address.split("\\.", -1);
        if (address.matches("10(\\.[0-9]{1,3}){3}")) {
            int number = ((Integer.parseInt(parts[1]) - 128) << 16)
                    + (Integer.parseInt(parts[2]) << 8)
                    + Integer.parseInt(parts[3]);
            last = Math.max(last, number);
        }
    }

    /** Never one that ends in 0 or 255. */
    String next() {
        last++;
        while ((last & 255) == 0 || (last & 255) == 255) {
            last++;
        }
        return "10." + (128 + (last >> 16 & 127)) + "." + (last >> 8 & 255) + "." + (last & 255);
    }
}
