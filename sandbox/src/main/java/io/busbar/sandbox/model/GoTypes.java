package io.busbar.sandbox.model;

/** What Go calls the types of fields. Any thread. */
final class GoTypes {

    private GoTypes() {}

    /** The type of a field's value, of its items or of its values. */
    static String of(Field field) {
        return switch (field.type()) {
            case "s" -> "string";
            case "i" -> "int32";
            case "l" -> "int64";
            case "b" -> "bool";
            case "d" -> "float64";
            case "y" -> "[]uint8";
            case "Quantity" -> "resource.Quantity";
            case "IntOrString" -> "intstr.IntOrString";
            case "RawExtension" -> "runtime.RawExtension";
            default -> {
                String type = field.type();
                yield type.contains(".") ? type.substring(type.indexOf('.') + 1) : "v1." + type;
            }
        };
    }
}
