package io.busbar.charts.run;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumns;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Type;

/** What {@code kubectl get} shows of instances. Any thread. */
final class InstanceColumns {

    private InstanceColumns() {}

    /** Has the class of a kind say so. */
    static void addTo(ClassVisitor kind) {
        AnnotationVisitor all = kind.visitAnnotation(Type.getDescriptor(AdditionalPrinterColumns.class), true);
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
