package io.busbar.blueprint.run;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Model classes, made as they are needed: watches, stores and controllers tell kinds apart by class. Each is a {@link
 * GenericKubernetesResource}, whose JSON stays as it is, with the annotations that say its kind.
 *
 * <p>One thread. The classes go with this object and all that was made of them.
 */
final class KindClasses {

    private static final String PARENT = Type.getInternalName(GenericKubernetesResource.class);

    private final Map<ResourceType, Class<? extends GenericKubernetesResource>> known = new HashMap<>();
    private final Loader loader = new Loader();

    Class<? extends GenericKubernetesResource> of(ResourceType kind) {
        return known.computeIfAbsent(kind, any -> {
            String name = "io.busbar.blueprint.kinds.K" + known.size() + "_" + kind.kind();
            return loader.define(name, bytes(name.replace('.', '/'), kind)).asSubclass(GenericKubernetesResource.class);
        });
    }

    private static byte[] bytes(String name, ResourceType kind) {
        ClassWriter made = new ClassWriter(0);
        String[] interfaces = kind.namespaced() ? new String[] {Type.getInternalName(Namespaced.class)} : null;
        made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, PARENT, interfaces);
        annotate(made, Group.class, kind.group());
        annotate(made, Version.class, kind.version());
        annotate(made, Kind.class, kind.kind());
        annotate(made, Plural.class, kind.plural());
        MethodVisitor constructor = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, PARENT, "<init>", "()V", false);
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

        Loader() {
            super(KindClasses.class.getClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
