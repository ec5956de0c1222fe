import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.util.List;

/**
 * mongo-java-server on a loopback port, until its standard input ends or it gets SIGTERM.
 *
 * Arguments: the port (0 takes a free one) and, if the data must outlive the process, the file to keep it in.
 * Prints the port once it listens.
 */
class Server {
  /** The driver refuses the version that the backend claims by itself. */
  private static final MongoVersion MONGODB_5 =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] args) throws Exception {
    H2Backend backend = args.length > 1 ? new H2Backend(args[1]) : H2Backend.inMemory();
    backend.version(MONGODB_5);
    MongoServer server = new MongoServer(backend);
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println(server.getLocalAddress().getPort());
    System.in.transferTo(System.err);
    System.exit(0);
  }
}
