package io.orestes.histories.cluster;

/**
 * A network namespace, which is a machine as far as the network goes.
 *
 * @param name short, for people
 * @param namespace its name on this machine
 * @param address its only one, but for the loopback
 * @param port its plug in the bridge
 */
record Host(String name, String namespace, String address, String port) {}
