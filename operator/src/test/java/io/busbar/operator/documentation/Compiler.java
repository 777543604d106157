package io.busbar.operator.documentation;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles what strangers write, with the class path of this module's tests. One thread. */
final class Compiler {

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile(
            "(?m)^(?:(?:public|final|abstract|sealed|non-sealed|@\\w+(?:\\([^\\n]*\\))?)\\s+)*(?:class|interface|record|enum|@interface)\\s+(\\w+)");

    private final Path classes;

    /** @param classes the folder that they go to */
    Compiler(Path classes) {
        this.classes = classes;
    }

    /** Whether a text is a whole source file, and no mere part of one. */
    static boolean isWhole(String text) {
        return TYPE.matcher(text).find();
    }

    /**
     * Compiles texts of whole source files, which may use each other.
     *
     * @throws AssertionError with what the compiler says
     */
    void texts(String place, List<String> texts) throws IOException {
        compile(place, texts.stream().<JavaFileObject>map(Text::new).toList());
    }

    /** Compiles all sources below folders, and copies their resources beside them. */
    void folders(String place, Path... folders) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<JavaFileObject> sources = new ArrayList<>();
            for (Path folder : folders) {
                for (Path file : files(folder)) {
                    if (file.toString().endsWith(".java")) {
                        files.getJavaFileObjects(file).forEach(sources::add);
                    } else {
                        Path copy = classes.resolve(folder.relativize(file).toString());
                        Files.createDirectories(copy.getParent());
                        Files.copy(file, copy);
                    }
                }
            }
            compile(place, sources);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    private void compile(String place, List<JavaFileObject> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            StringWriter problems = new StringWriter();
            boolean compiled = compiler.getTask(problems, files, null, options(), null, sources)
                    .call();
            if (!compiled) {
                throw new AssertionError(place + ": does not compile\n" + problems);
            }
        }
    }

    private static List<String> options() {
        return List.of(
                "-classpath",
                System.getProperty("java.class.path"),
                "--release",
                "17",
                "-proc:none",
                "-parameters",
                "-Werror",
                "-Xlint:all,-processing,-serial,-classfile");
    }

    /** A source file that is none. */
    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(String text) {
            super(URI.create("text:///" + path(text)), Kind.SOURCE);
            this.text = text;
        }

        private static String path(String text) {
            Matcher type = TYPE.matcher(text);
            if (!type.find()) {
                throw new IllegalArgumentException("no class in: " + text);
            }
            Matcher named = PACKAGE.matcher(text);
            return (named.find() ? named.group(1).replace('.', '/') + "/" : "") + type.group(1) + ".java";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
