package org.evenweave.sdd.protocol;

import java.util.ArrayList;
import java.util.List;

/** The keys that an edge shares with some of its peers. */
public final class EdgeKeys {
  /** Of one message: so many fit into a frame. */
  public static final int MAX_PEERS = 512;

  /** Bytes of a key. */
  public static final int KEY_BYTES = 16;

  private final List<Peer> peers = new ArrayList<>();

  /** What an edge shares with one peer. */
  static final class Peer {
    final IpAddress address;
    final byte[] sent;
    final byte[] accepted;
    final byte[] alsoAccepted;

    Peer(IpAddress address, byte[] sent, byte[] accepted, byte[] alsoAccepted) {
      this.address = address;
      this.sent = sent.clone();
      this.accepted = accepted.clone();
      this.alsoAccepted = alsoAccepted.clone();
    }
  }

  /**
   * Adds a peer.
   *
   * @param address the peer's in the outer header
   * @param sent the key of packets to it, {@link #KEY_BYTES}, as all
   * @param accepted the key of packets from it
   * @param alsoAccepted another one that packets from it may have; the same if there is none
   * @throws IllegalStateException if there are {@link #MAX_PEERS} already
   */
  public EdgeKeys add(IpAddress address, byte[] sent, byte[] accepted, byte[] alsoAccepted) {
    if (peers.size() == MAX_PEERS) {
      throw new IllegalStateException("there are " + MAX_PEERS + " peers already");
    }
    peers.add(new Peer(address, sent, accepted, alsoAccepted));
    return this;
  }

  /** How many peers there are. */
  public int size() {
    return peers.size();
  }

  List<Peer> peers() {
    return peers;
  }
}
