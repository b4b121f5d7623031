package io.orestes.socket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.orestes.wire.Utf8Decoder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The assembler of WebSocket frames into text messages (RFC 6455 §5.4), strict about UTF-8 and
 * size. Vert.x can assemble frames as well, but replaces malformed UTF-8 and drops messages that
 * are too large. Belongs to the connection's event loop.
 */
final class MessageAssembler implements Handler<WebSocketFrame> {

    private final int maxBytes;
    private final Consumer<String> onText;
    private final Runnable onBinary;
    private final Consumer<WebSocketCloseStatus> onMistake;
    private Buffer message = Buffer.buffer();
    private boolean isText;

    /**
     * @param onMistake receives the status for closing the connection; after that no frame may be
     *     passed in
     */
    MessageAssembler(
            int maxBytes, Consumer<String> onText, Runnable onBinary, Consumer<WebSocketCloseStatus> onMistake) {
        this.maxBytes = maxBytes;
        this.onText = onText;
        this.onBinary = onBinary;
        this.onMistake = onMistake;
    }

    /** Handles a frame; the decoder has checked the order of frames. */
    @Override
    public void handle(WebSocketFrame frame) {
        if (frame.isText() || frame.isBinary()) {
            message = Buffer.buffer();
            isText = frame.isText();
            append(frame);
        } else if (frame.isContinuation()) {
            append(frame);
        }
    }

    private void append(WebSocketFrame frame) {
        Buffer part = frame.binaryData();
        if (message.length() + part.length() > maxBytes) {
            onMistake.accept(WebSocketCloseStatus.MESSAGE_TOO_BIG);
            return;
        }
        message.appendBuffer(part);
        if (frame.isFinal()) {
            end();
        }
    }

    private void end() {
        if (!isText) {
            onBinary.run();
            return;
        }
        Optional<String> text = Utf8Decoder.decode(message);
        if (text.isPresent()) {
            onText.accept(text.get());
        } else {
            onMistake.accept(WebSocketCloseStatus.INVALID_PAYLOAD_DATA);
        }
    }
}
