package io.orestes.http;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.FileSystem;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects a body in a file, which is deleted on release. The client is slowed down to the speed of the disk, and the body may
 * take half of the space that was free when it began: what is imported needs as much again.
 */
final class BodyInFile implements BodySink<Path> {

    private final FileSystem files;
    private final HttpServerRequest request;
    private final Path path;
    private final Future<AsyncFile> opened;
    private @Nullable Future<Void> closed;
    private long room = Long.MAX_VALUE;
    private boolean isBroken;
    private boolean isReleased;

    /** A new file in a folder, which is made if it is missing; what comes before it is open waits. */
    BodyInFile(Path folder, FileSystem files, HttpServerRequest request) {
        this.files = files;
        this.request = request;
        this.path = folder.resolve(UUID.randomUUID() + ".json");
        this.opened = files.mkdirs(folder.toString())
                .compose(made -> files.fsProps(folder.toString()))
                .onSuccess(disk -> room = disk.usableSpace() / 2)
                .compose(disk -> files.open(path.toString(), new OpenOptions().setCreateNew(true)))
                .onFailure(failure -> isBroken = true);
    }

    /** Deletes what a process that died left in the folder. */
    static Future<Void> clear(Path folder, FileSystem files) {
        return files.exists(folder.toString())
                .compose(isThere -> isThere ? files.deleteRecursive(folder.toString()) : Future.succeededFuture());
    }

    @Override
    public boolean hasRoomFor(long size) {
        return size <= room && !isBroken;
    }

    @Override
    public boolean take(Buffer chunk, long size) {
        if (!hasRoomFor(size)) {
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
    public Future<Path> whole() {
        return close().compose(written -> isBroken
                ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The body could not be kept"))
                : Future.succeededFuture(path));
    }

    @Override
    public void release() {
        if (!isReleased) {
            isReleased = true;
            close().eventually(() -> files.delete(path.toString()));
        }
    }

    /** Waits for what is still to be written. */
    private Future<Void> close() {
        if (closed == null) {
            closed = opened.compose(AsyncFile::close);
        }
        return closed;
    }
}
