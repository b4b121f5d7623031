package io.orestes.store.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A proxy of a genuine database with one defect, such as programs that implement MongoDB's protocol
 * have.
 */
final class DefectiveDatabase {

    private final Defect defect;

    private DefectiveDatabase(Defect defect) {
        this.defect = defect;
    }

    /**
     * One defect of the database.
     *
     * @param method of a collection
     * @param parameters number of its parameters, as some methods have a name in common
     * @param mistake maps the arguments to those that are passed on
     */
    record Defect(String method, int parameters, UnaryOperator<@Nullable Object[]> mistake) {

        private @Nullable Object[] applied(Method called, @Nullable Object[] arguments) {
            return called.getName().equals(method) && arguments.length == parameters
                    ? mistake.apply(arguments.clone())
                    : arguments;
        }
    }

    static MongoDatabase of(MongoDatabase genuine, Defect defect) {
        return new DefectiveDatabase(defect).wrapped(MongoDatabase.class, genuine);
    }

    /** Returns a filter, an update or a document in its wire form. */
    static BsonDocument rendered(@Nullable Object bson) {
        return bson instanceof Bson any
                ? any.toBsonDocument(BsonDocument.class, MongoClientSettings.getDefaultCodecRegistry())
                : new BsonDocument();
    }

    private <T> T wrapped(Class<T> type, Object genuine) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(genuine, method, arguments == null ? new Object[0] : arguments)));
    }

    private @Nullable Object call(Object genuine, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            Object answer = method.invoke(genuine, defect.applied(method, arguments));
            return answer instanceof MongoCollection<?> collection
                    ? wrapped(MongoCollection.class, collection)
                    : answer;
        } catch (InvocationTargetException refused) {
            throw refused.getCause() == null ? refused : refused.getCause();
        }
    }
}
