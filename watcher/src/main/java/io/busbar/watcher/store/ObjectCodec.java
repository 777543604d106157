package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Transform;
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
    private final BiConsumer<ObjectKey, Throwable> unfit;

    /** Null for a class that is decoded whole or not at all. */
    private final @Nullable MetadataDecoder<T> metadata;

    ObjectCodec(
            WatchSpec<T> spec,
            KubernetesSerialization serialization,
            DecodedObjects decoded,
            BiConsumer<ObjectKey, Throwable> unfit) {
        this.spec = spec;
        this.serialization = serialization;
        this.decoded = decoded;
        this.unfit = unfit;
        this.metadata = MetadataDecoder.of(spec.type()).orElse(null);
    }

    /** Applies the watch's transform, if it has one; decodes as much as is asked for, or more if it must. */
    PreparedObject<T> prepare(RawObject raw, Decoding decoding) {
        Transform<T> transform = spec.transform();
        StoredObject<T> stored = new StoredObject<>(raw.key(), raw.uid(), raw.resourceVersion(), raw.json());
        if (transform != null) {
            T object = decode(stored);
            return object == null
                    ? PreparedObject.undecoded(stored)
                    : transformed(stored, object, transform.function());
        }
        return switch (decoding) {
            case NOTHING -> PreparedObject.undecoded(stored);
            case METADATA -> new PreparedObject<>(stored, metadata(stored), decoding);
            case WHOLE -> new PreparedObject<>(stored, decode(stored), decoding);
        };
    }

    /** The object that is stored, with its metadata at least; null if it does not fit. It is not remembered. */
    @Nullable
    T metadata(StoredObject<T> stored) {
        T whole = stored.decoded;
        if (whole != null || stored.unfit) {
            return whole;
        }
        if (metadata == null) {
            return decode(stored);
        }
        try {
            return metadata.decode(stored.json());
        } catch (Throwable e) {
            misfit(stored, e);
            return null;
        }
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
            return new PreparedObject<>(smaller, result, Decoding.WHOLE);
        } catch (Throwable e) {
            misfit(stored, e);
            return PreparedObject.undecoded(stored);
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
        } catch (Throwable e) {
            misfit(stored, e);
            return null;
        }
    }

    private void misfit(StoredObject<T> stored, Throwable why) {
        stored.fits = false;
        stored.unfit = true;
        unfit.accept(stored.key(), why);
    }
}
