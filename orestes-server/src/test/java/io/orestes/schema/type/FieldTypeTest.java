package io.orestes.schema.type;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.schema.type.CollectionType.ListOf;
import io.orestes.schema.type.CollectionType.MapOf;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

final class FieldTypeTest {

    private static final FieldType PART = new ClassFieldType.Embedded("Part");
    private static final FieldType LIST = new ListOf(PART);
    private static final FieldType MAP = new MapOf(BasicType.INTEGER, BasicType.STRING);
    private static final BsonValue ARRAY = BsonArray.parse("['a', 'b']");
    private static final BsonValue ENTRIES = BsonDocument.parse("{'1': 'a', '2': 'b'}");

    @Test
    void structure_ofSingleValues_isTheTypeItself() {
        assertThat(BasicType.DATE.elementType()).isEqualTo(BasicType.DATE);
        assertThat(BasicType.DATE.basicType()).contains(BasicType.DATE);
        assertThat(PART.embeddedClass()).contains("Part");
        assertThat(PART.referencedClass()).isEmpty();
        assertThat(new ClassFieldType.Reference("Todo").referencedClass()).contains("Todo");
        assertThat(BasicType.DATE.isElementStep("0")).isFalse();
    }

    @Test
    void structure_ofCollections_namesElementsAndKeys() {
        assertThat(LIST.elementType()).isEqualTo(PART);
        assertThat(LIST.embeddedClass()).isEmpty();
        assertThat(LIST.keyType()).isEmpty();
        assertThat(MAP.elementType()).isEqualTo(BasicType.STRING);
        assertThat(MAP.keyType()).contains(BasicType.INTEGER);
    }

    @Test
    void elementStep_ofLists_isAnIndex() {
        assertThat(LIST.isElementStep("12")).isTrue();
        assertThat(LIST.isElementStep("name")).isFalse();
        assertThat(LIST.isElementStep("")).isFalse();
        assertThat(MAP.isElementStep("name")).isTrue();
    }

    @Test
    void elements_ofEachKind_haveTheirPath() {
        assertThat(elements(BasicType.STRING, new BsonString("a"))).containsExactly("=a");
        assertThat(elements(LIST, ARRAY)).containsExactly(".0=a", ".1=b");
        assertThat(elements(MAP, ENTRIES)).containsExactly(".1=a", ".2=b");
        assertThat(elements(MAP, ARRAY)).isEmpty();
    }

    @Test
    void mapElements_ofEachKind_replacesSingleValues() {
        assertThat(BasicType.STRING.mapElements(new BsonString("a"), FieldTypeTest::typed))
                .isEqualTo(new BsonString("/db/String a"));
        assertThat(LIST.mapElements(ARRAY, FieldTypeTest::typed))
                .isEqualTo(BsonArray.parse("['/db/Part a', '/db/Part b']"));
        assertThat(MAP.mapElements(ENTRIES, FieldTypeTest::typed))
                .isEqualTo(BsonDocument.parse("{'1': '/db/String a', '2': '/db/String b'}"));
        assertThat(LIST.mapElements(ENTRIES, FieldTypeTest::typed)).isSameAs(ENTRIES);
    }

    private static List<String> elements(FieldType type, BsonValue stored) {
        List<String> met = new ArrayList<>();
        type.forEachElement(
                stored,
                (step, element) -> met.add(step + "=" + element.asString().getValue()));
        return met;
    }

    private static BsonValue typed(FieldType type, BsonValue element) {
        return new BsonString(type.ref() + " " + element.asString().getValue());
    }
}
