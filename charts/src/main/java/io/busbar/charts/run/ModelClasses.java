package io.busbar.charts.run;

import io.busbar.charts.instance.ChartInstance;
import io.busbar.common.ResourceType;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumns;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.function.Consumer;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes classes for kinds, which watches, stores and controllers tell apart by class: subclasses that add nothing but
 * the annotations that say the kind.
 *
 * <p>One thread. The classes go with this object and all that was made of them.
 */
final class ModelClasses extends ClassLoader {

    private int made;

    ModelClasses() {
        super(ModelClasses.class.getClassLoader());
    }

    /** Of a kind that a chart's instances are of. */
    Class<? extends ChartInstance> instances(ResourceType kind) {
        return define(kind, ChartInstance.class, ModelClasses::annotateColumns);
    }

    /** Of a kind that instances are made of: its JSON stays as it is. */
    Class<? extends GenericKubernetesResource> objects(ResourceType kind) {
        return define(kind, GenericKubernetesResource.class, writer -> {});
    }

    private <T extends HasMetadata> Class<? extends T> define(
            ResourceType kind, Class<T> parent, Consumer<ClassWriter> more) {
        String name = "io.busbar.charts.kinds.K" + made++ + "_" + kind.kind();
        byte[] bytes = bytes(name.replace('.', '/'), kind, parent, more);
        return defineClass(name, bytes, 0, bytes.length).asSubclass(parent);
    }

    private static byte[] bytes(String name, ResourceType kind, Class<?> parent, Consumer<ClassWriter> more) {
        String above = Type.getInternalName(parent);
        String[] interfaces = kind.namespaced() && !Namespaced.class.isAssignableFrom(parent)
                ? new String[] {Type.getInternalName(Namespaced.class)}
                : new String[0];
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, above, interfaces);
        annotate(writer, Group.class, kind.group());
        annotate(writer, Version.class, kind.version());
        annotate(writer, Kind.class, kind.kind());
        annotate(writer, Plural.class, kind.plural());
        more.accept(writer);
        MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, above, "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        constructor.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void annotate(ClassWriter writer, Class<?> annotation, String value) {
        AnnotationVisitor visitor = writer.visitAnnotation(Type.getDescriptor(annotation), true);
        visitor.visit("value", value);
        visitor.visitEnd();
    }

    /** What {@code kubectl get} shows; the annotation is not inherited. */
    private static void annotateColumns(ClassWriter writer) {
        AnnotationVisitor all = writer.visitAnnotation(Type.getDescriptor(AdditionalPrinterColumns.class), true);
        AnnotationVisitor list = all.visitArray("value");
        column(list, "Ready", ".status.conditions[?(@.type==\"Ready\")].status", AdditionalPrinterColumn.Type.STRING);
        column(list, "Reason", ".status.conditions[?(@.type==\"Ready\")].reason", AdditionalPrinterColumn.Type.STRING);
        column(list, "Release", ".status.release", AdditionalPrinterColumn.Type.INTEGER);
        column(list, "Age", ".metadata.creationTimestamp", AdditionalPrinterColumn.Type.DATE);
        list.visitEnd();
        all.visitEnd();
    }

    private static void column(AnnotationVisitor list, String name, String path, AdditionalPrinterColumn.Type type) {
        AnnotationVisitor column = list.visitAnnotation(null, Type.getDescriptor(AdditionalPrinterColumn.class));
        column.visit("name", name);
        column.visit("jsonPath", path);
        column.visitEnum("type", Type.getDescriptor(AdditionalPrinterColumn.Type.class), type.name());
        column.visitEnd();
    }
}
