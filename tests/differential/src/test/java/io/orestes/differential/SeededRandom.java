package io.orestes.differential;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** Random choices of a seed. */
final class SeededRandom {

    private final Random random;

    SeededRandom(long seed) {
        this.random = new Random(seed);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Returns a number from 0 to one below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    long anyLong() {
        return random.nextLong();
    }

    double between(double least, double most) {
        return least + random.nextDouble() * (most - least);
    }

    <T> T one(List<? extends T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Returns an array with a random number of elements between both bounds, inclusive. */
    BsonArray some(int least, int most, Supplier<? extends BsonValue> element) {
        BsonArray array = new BsonArray();
        IntStream.range(0, least + below(most - least + 1)).forEach(i -> array.add(element.get()));
        return array;
    }
}
