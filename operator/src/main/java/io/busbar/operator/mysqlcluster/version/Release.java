package io.busbar.operator.mysqlcluster.version;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The release of a server, such as 8.4.6: of the series 8.4, in which data keep their form.
 *
 * <p>Immutable.
 *
 * @param patch its number in the series; empty where it is not known
 */
public record Release(Product product, int major, int minor, OptionalInt patch) {

    /** Whose servers they are; neither can read the data of the other. */
    public enum Product {
        MYSQL("MySQL"),
        MARIADB("MariaDB");

        private final String text;

        Product(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final Comparator<Release> BY_SERIES =
            Comparator.comparingInt(Release::major).thenComparingInt(Release::minor);

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(?![0-9.]).*");

    /**
     * Series of MySQL with long-term support: from each, data go on with any release up to the next of these.
     * Source: MySQL's manual, "Upgrade Paths".
     */
    private static final List<Release> LONG_TERM = List.of(mySql(5, 7), mySql(8, 0), mySql(8, 4), mySql(9, 7));

    private static Release mySql(int major, int minor) {
        return new Release(Product.MYSQL, major, minor, OptionalInt.empty());
    }

    /** Of the image's own name, without its registry and tag; empty where that does not tell. */
    public static Optional<Product> product(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        if (name.contains("mariadb")) {
            return Optional.of(Product.MARIADB);
        }
        return name.contains("mysql") || name.contains("percona") ? Optional.of(Product.MYSQL) : Optional.empty();
    }

    /** By its tag; empty where that does not tell, as {@code latest} does not. */
    public static Optional<Release> ofImage(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1).replaceFirst("@.*", "");
        return product(image).flatMap(product -> of(product, name.substring(name.indexOf(':') + 1)));
    }

    /** As a server tells its own, such as {@code 10.11.6-MariaDB-log}. */
    public static Optional<Release> ofServer(String version) {
        return of(version.contains("MariaDB") ? Product.MARIADB : Product.MYSQL, version);
    }

    private static Optional<Release> of(Product product, String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.matches()
                ? Optional.of(new Release(
                        product,
                        Integer.parseInt(numbers.group(1)),
                        Integer.parseInt(numbers.group(2)),
                        numbers.group(3) == null
                                ? OptionalInt.empty()
                                : OptionalInt.of(Integer.parseInt(numbers.group(3)))))
                : Optional.empty();
    }

    /** Such as {@code 8.4}. */
    public String series() {
        return major + "." + minor;
    }

    /** Whether data that it has served are of no use to the other any more. */
    public boolean isOfLaterSeriesThan(Release other) {
        return BY_SERIES.compare(this, other) > 0;
    }

    /** Why the data of another of the same product cannot go on with this one; empty where they can. */
    public Optional<String> obstacleAfter(Release other) {
        if (other.isOfLaterSeriesThan(this) || isEarlierInASeriesWithoutWayBack(other)) {
            return Optional.of(
                    "must not be older than " + other + ", which the primary runs: no server reads what a newer"
                            + " one has written. Make a new cluster, and load a dump of this one there");
        }
        return furthest(other)
                .filter(this::isOfLaterSeriesThan)
                .map(last -> "must be " + last.series() + " or older: the data of " + other
                        + ", which the primary runs, go no further at once. Upgrade to " + last.series() + " first");
    }

    /** Of MySQL 8.0 alone: later series let go back to an earlier release of the same. */
    private boolean isEarlierInASeriesWithoutWayBack(Release other) {
        return product == Product.MYSQL
                && series().equals("8.0")
                && other.series().equals("8.0")
                && patch.isPresent()
                && other.patch.isPresent()
                && patch.getAsInt() < other.patch.getAsInt();
    }

    /** Empty where there is no such bound, as for MariaDB, which upgrades from any release. */
    private static Optional<Release> furthest(Release from) {
        return from.product == Product.MARIADB
                ? Optional.empty()
                : LONG_TERM.stream()
                        .filter(series -> series.isOfLaterSeriesThan(from))
                        .findFirst();
    }

    @Override
    public String toString() {
        return product + " " + series() + (patch.isPresent() ? "." + patch.getAsInt() : "");
    }
}
