package io.busbar.common.watch;

/** Says of another that it looks at metadata only. Immutable, if the other is. */
final class MetadataPredicate<T> implements ChangePredicate<T> {

    private final ChangePredicate<T> predicate;

    MetadataPredicate(ChangePredicate<T> predicate) {
        this.predicate = predicate;
    }

    @Override
    public boolean test(Change<? extends T> change) {
        return predicate.test(change);
    }

    @Override
    public boolean readsMetadataOnly() {
        return true;
    }
}
