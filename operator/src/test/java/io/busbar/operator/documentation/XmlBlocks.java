package io.busbar.operator.documentation;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Holds parts of a pom to the artifacts that are published. */
final class XmlBlocks {

    private static final String GROUP = "io.busbar";

    private XmlBlocks() {}

    /** @throws AssertionError with what is wrong, and what is allowed */
    static void check(Block block) throws IOException, ParserConfigurationException {
        Document document;
        try {
            document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader("<part>" + block.text() + "</part>")));
        } catch (SAXException wrong) {
            throw new AssertionError(block.place() + ": " + wrong.getMessage(), wrong);
        }
        Set<String> published = published();
        NodeList groups = document.getElementsByTagName("groupId");
        for (int i = 0; i < groups.getLength(); i++) {
            if (!groups.item(i).getTextContent().equals(GROUP)) {
                continue;
            }
            Element artifact = (Element) groups.item(i).getParentNode();
            String id = artifact.getElementsByTagName("artifactId").item(0).getTextContent();
            if (!published.contains(id)) {
                throw new AssertionError(
                        block.place() + ": artifact " + id + "; allowed: " + String.join(", ", published));
            }
        }
    }

    /** Those that the BOM names by being our parent, and what is no dependency. */
    private static Set<String> published() throws IOException {
        Set<String> published = new TreeSet<>(Set.of("busbar-bom", "busbar-maven-plugin"));
        Pattern.compile("<artifactId>(busbar-[a-z-]+)</artifactId>")
                .matcher(Files.readString(Page.ROOT.resolve("pom.xml")))
                .results()
                .forEach(artifact -> published.add(artifact.group(1)));
        return published;
    }
}
