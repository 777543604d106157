package io.busbar.runtime.client;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Model classes of kinds that are known at run time alone, made as they are needed: watches, stores and controllers tell
 * kinds apart by class. Each is a subclass that adds the annotations that say its kind.
 *
 * <p>One thread. The classes go with this object and all that was made of them.
 */
public final class KindClasses {

    private final Map<ResourceType, Class<? extends HasMetadata>> known = new HashMap<>();
    private final Loader loader;

    /** @param near a class whose loader knows all that they are subclasses of */
    public KindClasses(Class<?> near) {
        this.loader = new Loader(near.getClassLoader());
    }

    /** Of a kind whose JSON stays as it is. */
    public Class<? extends GenericKubernetesResource> of(ResourceType kind) {
        return of(kind, GenericKubernetesResource.class, made -> {});
    }

    /**
     * Of a kind whose fields are those of a class: the same one each time.
     *
     * @param parent with a constructor without parameters
     * @param annotations adds more, as they are not inherited
     */
    public <T extends HasMetadata> Class<? extends T> of(
            ResourceType kind, Class<T> parent, Consumer<ClassVisitor> annotations) {
        return known.computeIfAbsent(kind, any -> {
                    String name = "io.busbar.kinds.K" + known.size() + "_" + kind.kind();
                    return loader.define(name, bytes(name.replace('.', '/'), kind, parent, annotations))
                            .asSubclass(parent);
                })
                .asSubclass(parent);
    }

    private static byte[] bytes(String name, ResourceType kind, Class<?> parent, Consumer<ClassVisitor> annotations) {
        String above = Type.getInternalName(parent);
        ClassWriter made = new ClassWriter(0);
        String[] interfaces = kind.namespaced() && !Namespaced.class.isAssignableFrom(parent)
                ? new String[] {Type.getInternalName(Namespaced.class)}
                : new String[0];
        made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, above, interfaces);
        annotate(made, Group.class, kind.group());
        annotate(made, Version.class, kind.version());
        annotate(made, Kind.class, kind.kind());
        annotate(made, Plural.class, kind.plural());
        annotations.accept(made);
        MethodVisitor constructor = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, above, "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        constructor.visitEnd();
        made.visitEnd();
        return made.toByteArray();
    }

    private static void annotate(ClassWriter made, Class<?> annotation, String value) {
        AnnotationVisitor visitor = made.visitAnnotation(Type.getDescriptor(annotation), true);
        visitor.visit("value", value);
        visitor.visitEnd();
    }

    private static final class Loader extends ClassLoader {

        Loader(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
