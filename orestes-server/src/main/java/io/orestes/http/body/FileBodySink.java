package io.orestes.http.body;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.FileSystem;
import io.vertx.core.file.FileSystemProps;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A body sink that writes a request body to a temporary file, within the {@link DiskBudget}. The
 * file is deleted on release. The client is slowed down to the speed of the disk.
 */
public final class FileBodySink implements RequestBodySink<Path> {

    private final FileSystem files;
    private final DiskBudget.Reservation room;
    private final HttpServerRequest request;
    private final Path path;
    private final Future<AsyncFile> opened;
    private @Nullable Future<Void> closed;
    private boolean isBroken;
    private boolean isReleased;

    /**
     * Creates a new file in a folder, which is created if it is missing; chunks that arrive before
     * it is open are buffered.
     *
     * @param announced announced length of the body, if known
     */
    FileBodySink(Path folder, FileSystem files, DiskBudget budget, HttpServerRequest request, long announced) {
        this.files = files;
        this.room = budget.newReservation();
        this.request = request;
        this.path = folder.resolve(UUID.randomUUID() + ".json");
        this.opened = files.mkdirs(folder.toString())
                .compose(made -> files.fsProps(folder.toString()))
                .compose(disk -> open(disk, announced))
                .recover(failure -> Future.failedFuture(failure instanceof ApiException ? failure : notKept()))
                .onFailure(failure -> isBroken = true);
    }

    private Future<AsyncFile> open(FileSystemProps disk, long announced) {
        return room.reserveAnnounced(disk, announced)
                ? files.open(path.toString(), new OpenOptions().setCreateNew(true))
                : Future.failedFuture(PendingBody.budgetExceeded());
    }

    /** Deletes files that a crashed process left in the folder. */
    public static Future<Void> clear(Path folder, FileSystem files) {
        return files.exists(folder.toString())
                .compose(isThere -> isThere ? files.deleteRecursive(folder.toString()) : Future.succeededFuture());
    }

    /** Fails as soon as the body cannot be stored. */
    Future<Void> ready() {
        return opened.mapEmpty();
    }

    /**
     * Returns whether the body fits. The announced length is compared with the free space when the
     * file is opened.
     */
    @Override
    public boolean hasRoomFor(long size) {
        return !isBroken;
    }

    @Override
    public boolean tryAppend(Buffer chunk, long size) {
        if (isBroken || !room.reserve(size)) {
            return false;
        }
        if (!opened.isComplete()) {
            request.pause();
            opened.onComplete(done -> request.resume());
        }
        opened.onSuccess(file -> write(file, chunk));
        return true;
    }

    private void write(AsyncFile file, Buffer chunk) {
        file.write(chunk).onFailure(failure -> isBroken = true);
        if (file.writeQueueFull()) {
            request.pause();
            file.drainHandler(drained -> request.resume());
        }
    }

    @Override
    public Future<Path> finish() {
        return close().compose(written -> isBroken ? Future.failedFuture(notKept()) : Future.succeededFuture(path));
    }

    private static ApiException notKept() {
        return new ApiException(ErrorCode.UNAVAILABLE, "The body could not be stored");
    }

    @Override
    public void release() {
        if (!isReleased) {
            isReleased = true;
            close().eventually(() -> files.delete(path.toString())).onComplete(deleted -> room.release());
        }
    }

    /** Closes the file after the pending writes. */
    private Future<Void> close() {
        if (closed == null) {
            closed = opened.compose(AsyncFile::close);
        }
        return closed;
    }
}
