package io.orestes.replication.link;

import io.orestes.coordination.Member;

/**
 * The address and the store's process name that a server publishes to the other members of its
 * group. Its text is {@code HOST:PORT PROCESS}.
 *
 * @param address address for the other members, {@code HOST:PORT}
 * @param process its name in the store; empty if the store has none for it
 */
public record MemberInfo(String address, String process) {

    private static final String SEPARATOR = " ";

    /** Parses the information that a member has published. */
    public static MemberInfo of(Member member) {
        String[] parts = member.info().split(SEPARATOR, 2);
        return new MemberInfo(parts[0], parts.length == 1 ? "" : parts[1]);
    }

    /** Returns the text to publish. */
    public String text() {
        return address + SEPARATOR + process;
    }
}
