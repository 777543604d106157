package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.RawObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns JSON into objects of one model class, and remembers what is decoded.
 *
 * <p>Any thread. JSON that does not fit the model class is reported once, and decodes to null.
 */
final class ObjectCodec<T extends HasMetadata> {

    private final WatchSpec<T> spec;
    private final KubernetesSerialization serialization;
    private final DecodedObjects decoded;
    private final BiConsumer<ObjectKey, Exception> unfit;

    ObjectCodec(
            WatchSpec<T> spec,
            KubernetesSerialization serialization,
            DecodedObjects decoded,
            BiConsumer<ObjectKey, Exception> unfit) {
        this.spec = spec;
        this.serialization = serialization;
        this.decoded = decoded;
        this.unfit = unfit;
    }

    /** Applies the watch's transform, if it has one; decodes if asked to or if it must. */
    PreparedObject<T> prepare(RawObject raw, boolean decode) {
        UnaryOperator<T> transform = spec.transform();
        StoredObject<T> stored = new StoredObject<>(raw.key(), raw.uid(), raw.resourceVersion(), raw.json());
        if (transform == null) {
            return new PreparedObject<>(stored, decode ? decode(stored) : null);
        }
        T object = decode(stored);
        return object == null ? new PreparedObject<>(stored, null) : transformed(stored, object, transform);
    }

    /** The object that is stored; null if it does not fit. */
    @Nullable
    T object(StoredObject<T> stored) {
        T object = decoded.of(stored);
        if (object == null) {
            object = decode(stored);
            if (object != null) {
                decoded.keep(stored, object);
            }
        }
        return object;
    }

    private PreparedObject<T> transformed(StoredObject<T> stored, T object, UnaryOperator<T> transform) {
        try {
            T result = transform.apply(object);
            byte[] json = serialization.asJson(result).getBytes(StandardCharsets.UTF_8);
            StoredObject<T> smaller = new StoredObject<>(stored.key(), stored.uid(), stored.resourceVersion(), json);
            smaller.fits = true;
            return new PreparedObject<>(smaller, result);
        } catch (RuntimeException e) {
            misfit(stored, e);
            return new PreparedObject<>(stored, null);
        }
    }

    /** A new object, which is not remembered. */
    @Nullable
    T decode(StoredObject<T> stored) {
        if (stored.unfit) {
            return null;
        }
        try {
            T object = serialization.unmarshal(new ByteArrayInputStream(stored.json()), spec.type());
            stored.fits = true;
            return object;
        } catch (RuntimeException e) {
            misfit(stored, e);
            return null;
        }
    }

    private void misfit(StoredObject<T> stored, Exception why) {
        stored.fits = false;
        stored.unfit = true;
        unfit.accept(stored.key(), why);
    }
}
